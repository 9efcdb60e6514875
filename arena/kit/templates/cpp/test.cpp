#include <cstdlib>

#include "strategy.hpp"

using fivethreefive::Json;

static void check(const std::string& want, const std::string& legal) {
    auto got = show(act(fivethreefive::Turn(Json::parse("{\"legal\":" + legal + "}"))).action);
    if (got == want) return;
    std::cerr << "want " << want << ", got " << got << "\n";
    std::exit(1);
}

int main() {
    check("pass", R"([{"type":"add","cards":[8]},{"type":"pass","cards":[]}])");
    check("lead [3 4]", R"([{"type":"lead","cards":[3]},{"type":"lead","cards":[3,4]}])");
    std::cout << "ok\n";
}
