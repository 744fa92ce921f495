// Which vertices the edges of a flex element join: edge k of an element of dimension d is mdl_flexEdge[d - 1][k]. The
// order is that of flex_elemedge and of the packed stiffness.
#pragma once

// clang-format off
static const int mdl_flexEdge[3][6][2] = {
    {{0, 1}},
    {{1, 2}, {2, 0}, {0, 1}},
    {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}},
};
// clang-format on
