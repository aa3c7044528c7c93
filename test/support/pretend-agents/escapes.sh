# Prints what would act on a terminal, and puts it into a file name that it was asked for.
task=${ORCHESTRA_OWNER##*.}
printf '\033]0;owned\007\033]52;c;b3duZWQ=\007\033[2J\033[?1049h\033P$q"p\033\\\205\n'
echo "done by $task" > "$task.txt"
