-- Always plays the first legal action. The arena writes the type of a message first and no blanks, and an action may be
-- answered by its index in the legal list, counted from 0, so that no JSON library is needed.

io.stdout:setvbuf("no")

for line in io.lines() do
  local kind = line:match('^{"type":"(%a+)"')
  if kind == "hello" then
    print('{"type":"ready"}')
  elseif kind == "turn" then
    print(('{"type":"move","turn":%s,"action":0}'):format(line:match('"turn":(%d+)')))
  elseif kind == "quit" then
    break
  end
end
