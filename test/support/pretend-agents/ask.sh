# Needs an answer before it can go on.
task=${ORCHESTRA_OWNER##*.}
printf 'Which port shall it be? '
read -r answer
echo "port $answer" > "$task.txt"
