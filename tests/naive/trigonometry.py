"""Sine and cosine to forty digits, by Taylor series on exact fractions of the given double."""

from __future__ import annotations

from decimal import Decimal, localcontext

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def sincos(x: float) -> tuple[Decimal, Decimal]:
    """sin x and cos x of a finite double, |x| below 1e30."""
    with localcontext() as context:
        context.prec = 90
        r = Decimal(x)
        r -= 2 * PI * (r / (2 * PI)).to_integral_value()
        s, c, term, k = Decimal(0), Decimal(0), Decimal(1), 0
        while abs(term) > Decimal(10) ** -60 or k < 4:
            if k % 2 == 0:
                c += term if k % 4 == 0 else -term
            else:
                s += term if k % 4 == 1 else -term
            k += 1
            term = term * r / k
        return +s, +c
