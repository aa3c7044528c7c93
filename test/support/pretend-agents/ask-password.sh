# Asks for something that nobody may write down.
task=${ORCHESTRA_OWNER##*.}
stty -echo
printf 'Password: '
read -r password
stty echo
echo "length ${#password}" > "$task.txt"
