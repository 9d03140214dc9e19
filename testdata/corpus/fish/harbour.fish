function harbour_add --argument-names pier length
    set -ga harbour_piers "$pier=$length"
    or return
end

function harbour_list
    for pier in $harbour_piers
        set -l parts (string split = -- $pier)
        printf '%s\t%s\n' $parts[1] $parts[2..-1]
    end | sort
end

function harbour_wait --on-variable harbour_tide --on-signal INT
    while not test -e /run/tide; sleep 1; end
    command test {a,b}c = *.txt
end

set -gx HARBOUR_DEPTH 12 # metres
alias hl harbour_list

function harbour_clear; set -e harbour_piers; end
