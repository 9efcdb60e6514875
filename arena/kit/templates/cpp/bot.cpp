#include "strategy.hpp"

int main() { return fivethreefive::run("mybot", "1", act); }
