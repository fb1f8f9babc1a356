
# The names of packs and commands, asked of the program itself.
function __hcpx_names
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]; and string match -q -- '-*' $words[1]
        set -e words[1]
    end
    set -e words[1]
    hcpx complete-names $words 2>/dev/null
end
complete -c hcpx -n "__fish_seen_subcommand_from exec preview explain commands uninstall connect" -f -a "(__hcpx_names)"
