// Gets rid of as many cards as it can.
using System;
using System.Linq;
using System.Text.Json;

static int Count(JsonElement action) => action.GetProperty("cards").GetArrayLength();

while (Console.ReadLine() is string line)
{
    var message = JsonDocument.Parse(line).RootElement;
    switch (message.GetProperty("type").GetString())
    {
        case "hello":
            Console.WriteLine("{\"type\":\"ready\"}");
            break;
        case "turn":
            var best = message.GetProperty("legal").EnumerateArray().OrderByDescending(Count).First(); // among equals, the first
            Console.WriteLine($"{{\"type\":\"move\",\"turn\":{message.GetProperty("turn")},\"action\":{best.GetRawText()}}}");
            break;
        case "quit":
            return;
    }
}
