
# The names of packs and commands, asked of the program itself.
_hcpx_names() {
    local cur=${COMP_WORDS[COMP_CWORD]} word verb="" typed=0 i
    local -a after=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -z $verb ]]; then
            [[ $word == -* ]] || verb=$word
        else
            after+=("$word")
            [[ $word == -* ]] || ((typed++))
        fi
    done
    case $verb:$typed in
        exec:[01] | preview:[01] | explain:[01] | commands:0 | uninstall:0 | connect:0)
            if [[ $cur != -* ]]; then
                COMPREPLY=($(compgen -W "$(hcpx complete-names "${after[@]}" 2>/dev/null)" -- "$cur"))
                return 0
            fi
            ;;
    esac
    _hcpx "$@"
}
complete -F _hcpx_names -o bashdefault -o default hcpx
