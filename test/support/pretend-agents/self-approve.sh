# Tries to say what only a person may say. $HOME/orchestra is how it calls the program.
task=${ORCHESTRA_OWNER##*.}
for words in 'plan approve r1' 'accept r1' 'grant r1.t1' 'resume r1' 'discard r1' 'stop r1'; do
  sh "$HOME/orchestra" $words >> "$HOME/self-approve.log" 2>&1
  echo "exit $? of $words" >> "$HOME/self-approve.log"
done
echo "done by $task" > "$task.txt"
