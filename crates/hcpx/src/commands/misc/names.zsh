# The names of packs and commands, asked of the program itself.
_hcpx_names() {
    local -a names
    names=(${(f)"$(hcpx complete-names "${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
    compadd -a names
}
