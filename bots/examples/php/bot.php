<?php
// Plays as many cards as it can, but holds on to its eights.

function worth(array $action): int
{
    return count($action['cards']) - (in_array(8, $action['cards'], true) ? 10 : 0);
}

function choose(array $legal): array
{
    return array_reduce($legal, fn ($best, $action) => $best === null || worth($action) > worth($best) ? $action : $best);
}

while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    if ($message['type'] === 'hello') {
        fwrite(STDOUT, "{\"type\":\"ready\"}\n");
    } elseif ($message['type'] === 'turn') {
        $move = ['type' => 'move', 'turn' => $message['turn'], 'action' => choose($message['legal'])];
        fwrite(STDOUT, json_encode($move) . "\n");
    } elseif ($message['type'] === 'quit') {
        break;
    }
}
