#!/usr/bin/env python3
"""Writes elem_tables.h, the constants of the elementary functions, from exact arithmetic.

    python3 src/math/elem_tables.py > src/math/elem_tables.h
"""
from decimal import Decimal as D, getcontext
from fractions import Fraction as F

getcontext().prec = 80


def machin_pi(bits):
    """floor(pi * 2**bits)"""
    guard = 32
    one = 1 << (bits + guard)

    def arctan_inverse(n):
        total, term, k, sign = 0, one // n, 1, 1
        while term:
            total += sign * (term // k)
            term //= n * n
            k += 2
            sign = -sign
        return total

    return (4 * (4 * arctan_inverse(5) - arctan_inverse(239))) >> guard


PI = D(machin_pi(300)) / D(1 << 300)
LN2 = D(2).ln()


def sin(x):
    total, term, k = D(0), x, 1
    while abs(term) > D(10) ** -75:
        total += term
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def cos(x):
    total, term, k = D(0), D(1), 0
    while abs(term) > D(10) ** -75:
        total += term
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def atan(x):
    halvings = 0
    while abs(x) > D("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    total, power, k, sign = D(0), x, 1, 1
    while abs(power) > D(10) ** -77:
        total += sign * power / k
        power *= x * x
        k += 2
        sign = -sign
    return total * 2 ** halvings


def asin(x):
    return atan(x / (1 - x * x).sqrt())


def fit(f, low, high, degree):
    """coefficients of the polynomial through f at the Chebyshev nodes of [low, high]"""
    n = degree + 1
    xs = [(low + high) / 2 + (high - low) / 2 * cos(PI * (2 * k + 1) / (2 * n)) for k in range(n)]
    table = [f(x) for x in xs]
    for level in range(1, n):  # Newton's divided differences
        for i in range(n - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (xs[i] - xs[i - level])
    coef = [D(0)]
    for i in range(n - 1, -1, -1):
        coef = [D(0)] + coef
        for j in range(len(coef) - 1):
            coef[j] -= xs[i] * coef[j + 1]
        coef[0] += table[i]
    return coef[:n]


def keep(x, lsb):
    """x rounded to a multiple of 2**-lsb, as a double"""
    return float(F(int((x * D(2) ** lsb).to_integral_value()), 1 << lsb))


def pair(x):
    hi = float(x)
    return hi, float(x - D(hi))


def emit(name, values, comment):
    print(f"\n// {comment}")
    print(f"static const double {name}[{len(values)}] = {{")
    print("    " + ", ".join(v.hex() for v in values) + "};")


def scalar(name, value, comment):
    print(f"static const double {name} = {value.hex()};  // {comment}")


def main():
    print("// Constants of the elementary functions. Written by elem_tables.py; do not edit.")
    print("#pragma once\n\n#include <stdint.h>\n")
    half = PI / 2

    # pi/2 in parts of 33, 33 and 53 bits: products with 20-bit integers are exact
    p1 = keep(half, 32)
    p2 = keep(half - D(p1), 65)
    scalar("PIO2_1", p1, "pi/2, first 33 bits")
    scalar("PIO2_2", p2, "pi/2, next 33 bits")
    scalar("PIO2_3", float(half - D(p1) - D(p2)), "pi/2, the rest")
    scalar("PIO2_HI", pair(half)[0], "pi/2")
    scalar("PIO2_LO", pair(half)[1], "pi/2 - PIO2_HI")
    scalar("PI_HI", pair(PI)[0], "pi")
    scalar("PI_LO", pair(PI)[1], "pi - PI_HI")
    scalar("TWO_PI_INV", float(2 / PI), "2/pi")
    scalar("SIXTH_HI", pair(D(1) / 6)[0], "1/6")
    scalar("SIXTH_LO", pair(D(1) / 6)[1], "1/6 - SIXTH_HI")

    # ln 2 in steps of 1/128
    step = LN2 / 128
    s1 = keep(step, 40)
    scalar("EXP_STEP_INV", float(1 / step), "128 / ln 2")
    scalar("EXP_STEP_1", s1, "ln 2 / 128, first 33 bits")
    scalar("EXP_STEP_2", float(step - D(s1)), "the rest")
    l1 = keep(LN2, 42)
    scalar("LN2_HI", l1, "ln 2 to 42 binary places")
    scalar("LN2_LO", float(LN2 - D(l1)), "ln 2 - LN2_HI")
    inv10 = 1 / D(10).ln()
    scalar("LOG10E_HI", pair(inv10)[0], "1 / ln 10")
    scalar("LOG10E_LO", pair(inv10)[1], "1 / ln 10 - LOG10E_HI")

    # polynomials
    z = (PI / 4) ** 2
    root = lambda x: x.sqrt()
    emit("SIN_POLY", [float(c) for c in fit(lambda x: (sin(root(x)) / root(x) - 1) / x, D("1e-12"), z, 6)],
         "(sin r / r - 1) / r^2 in powers of r^2, |r| <= pi/4")
    emit("COS_POLY", [float(c) for c in fit(lambda x: (cos(root(x)) - 1 + x / 2) / (x * x), D("1e-9"), z, 6)],
         "(cos r - 1 + r^2/2) / r^4 in powers of r^2, |r| <= pi/4")
    emit("ASIN_POLY", [float(c) for c in fit(lambda x: (asin(root(x)) / root(x) - 1) / x, D("1e-12"), D("0.25"), 13)],
         "(asin s / s - 1) / s^2 in powers of s^2, |s| <= 1/2")
    emit("ATAN_POLY", [float(c) for c in fit(lambda x: (atan(root(x)) / root(x) - 1) / x, D("1e-12"), D(1) / 64, 7)],
         "(atan t / t - 1) / t^2 in powers of t^2, |t| <= 1/8")

    # tables
    emit("EXP_TABLE", [v for i in range(128) for v in pair((step * i).exp())], "2^(i/128): value, correction")
    rows = []
    for i in range(90, 183):
        c = F(round(F(512 * 128, i)), 512)
        value = -(D(c.numerator) / D(c.denominator)).ln()
        hi = keep(value, 42)
        rows += [float(c), hi, float(value - D(hi))]
    emit("LOG_TABLE", rows, "for i = 90 ... 182: c near 128/i, -ln c to 42 binary places, the rest")
    emit("ATAN_TABLE", [v for i in range(65) for v in pair(atan(D(i) / 64))], "atan(i/64): value, correction")

    # 2/pi as a fixed-point number, one word of zeros before the point
    bits = 64 * 21
    scaled = (2 << (2 * bits + 200)) // machin_pi(bits + 200)
    words = [0] + [(scaled >> (bits - 64 * (i + 1))) & (2 ** 64 - 1) for i in range(21)]
    print("\n// the binary digits of 2/pi, after one word of zeros")
    print(f"static const uint64_t TWO_PI_BITS[{len(words)}] = {{")
    print("    " + ", ".join(f"0x{w:016X}u" for w in words) + "};")


main()
