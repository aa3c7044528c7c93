# Prints 100 MB before it does its work.
task=${ORCHESTRA_OWNER##*.}
head -c 100000000 /dev/zero | tr '\0' 'x' | fold -w 100
echo "done by $task" > "$task.txt"
