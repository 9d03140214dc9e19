#!/usr/bin/env fish
# Tides.

set -g tides_depth 12
set -gx TIDES_HOME ~/tides
set --global --export TIDES_OTHER 1
set -l tides_local 1
set -U tides_seen

# Tells low water.
# Twice.
function tide_low --description 'Tells low water' --argument-names tide
    if test $tide -lt $tides_depth
        echo "function not_a_function"
    else if test -z "$tide"
        return 1
    end
    set -l x (math $tide + 1)
end

function tide_loop
    for t in $argv
        while true
            switch $t
                case low 'hi*'
                    echo end
                case '*'
                    break
            end
        end
    end
end

function outer
    function inner
        echo inner
    end
    inner; and echo ok
    begin
        set -g from_inside 1
    end
end

function one; echo one; end

function on_exit --on-event fish_exit
    echo bye
end

function 'quoted name'
    echo quoted
end

function fish_prompt -d "Write out the prompt"
    printf '%s> ' (prompt_pwd)
end

function __tide_helper -a a -a b -V tides_depth
    string match -rq '(?<x>end)' -- $a
end

alias ll 'ls -l'
alias gs='git status'
abbr -a gco git checkout

if status is-interactive
    function only_interactive
        commandline -f repaint
    end
    alias in_if 'echo'
end

complete -c tide -n "__fish_use_subcommand" -a low

function tide-dashed; end

function tide.dotted
    cat (psub < file) \
        | grep x &
end

function a; end
function b; end
function c; end
function d; end
function e; end
function f; end
function g; end
function h; end
function i; end
function j; end
function k; end
function l; end
function m; end
function n; end

not tide_low 3; or tide_loop

set -Ux tides_universal 3
