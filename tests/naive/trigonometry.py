"""Sine, cosine and arc tangent to forty digits, by Taylor series on exact fractions of the given doubles."""

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


def angle(x: float, y: float) -> Decimal:
    """Angle from the x axis to (x, y), neither of them negative and not both zero."""
    with localcontext() as context:
        context.prec = 90
        a, b = Decimal(x), Decimal(y)
        if b > a:
            return +(PI / 2 - angle(y, x))
        t, halvings = b / a, 0
        while t > Decimal("0.05"):  # tan(a/2) = tan a / (1 + sqrt(1 + tan² a))
            t, halvings = t / (1 + (1 + t * t).sqrt()), halvings + 1
        total, power, k = Decimal(0), t, 0
        while k < 1 or abs(power) > abs(t) * Decimal(10) ** -60:
            total += power / (2 * k + 1) * (-1) ** k
            power, k = power * t * t, k + 1
        return +(total * 2**halvings)
