# Gets rid of as many penalty points as it can.
require 'json'

$stdout.sync = true

POINTS = Hash.new(1).merge(1 => 3, 8 => 5, 11 => 2, 12 => 2, 13 => 2, 14 => 2, 15 => 3)

def choose(legal)
  legal.max_by.with_index { |action, i| [action['cards'].sum { |card| POINTS[card] }, -i] } # among equals, the first
end

$stdin.each_line do |line|
  message = JSON.parse(line)
  case message['type']
  when 'hello' then puts '{"type":"ready"}'
  when 'turn' then puts JSON.generate(type: 'move', turn: message['turn'], action: choose(message['legal']))
  when 'quit' then break
  end
end
