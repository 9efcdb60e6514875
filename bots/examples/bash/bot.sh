# Always plays the first legal action. No JSON is parsed: the arena writes the type first and no spaces.
while read -r line; do
  case $line in
    '{"type":"hello"'*) echo '{"type":"ready"}' ;;
    '{"type":"turn"'*) turn=${line#*'"turn":'} && echo '{"type":"move","turn":'"${turn%%,*}"',"action":0}' ;;
    '{"type":"quit"'*) exit ;;
  esac
done
