// Always plays the first legal action. The arena writes the type of a message first and no blanks, and an action may be
// answered by its index in the legal list, so that no JSON library is needed.

fun main() {
    val number = Regex("\"turn\":(\\d+)")
    for (line in generateSequence(::readLine)) {
        when {
            line.startsWith("{\"type\":\"hello\"") -> println("{\"type\":\"ready\"}")
            line.startsWith("{\"type\":\"turn\"") ->
                println("{\"type\":\"move\",\"turn\":${number.find(line)!!.groupValues[1]},\"action\":0}")
            line.startsWith("{\"type\":\"quit\"") -> return
        }
    }
}
