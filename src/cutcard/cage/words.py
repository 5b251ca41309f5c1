"""An amount in words, as printed on a voucher beside the figures.

Figures can be altered with a pen; words are harder to alter, so both halves of
the amount are always written out, even where there is nothing to say. "And"
stands only between the two.
"""

_WORDS = """
    no one two three four five six seven eight nine
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
    twenty thirty forty fifty sixty seventy eighty ninety
"""
_SMALL, _TENS = _WORDS.split()[:20], _WORDS.split()[20:]
_SCALES = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def in_words(amount: int, major: str, minor: str) -> str:
    """An amount of minor units in English words, a hundred minor units to a major one.

    >>> in_words(12345, "dollar", "cent")
    'one hundred twenty-three dollars and forty-five cents'
    >>> in_words(100, "dollar", "cent")
    'one dollar and no cents'
    """
    whole, part = divmod(amount, 100)
    return f"{_counted(whole, major)} and {_counted(part, minor)}"


def _counted(number: int, unit: str) -> str:
    return f"{_number(number)} {unit}{'' if number == 1 else 's'}"


def _number(number: int) -> str:
    """A number below a quintillion in words; nought is "no"."""
    if number == 0:
        return _SMALL[0]
    groups = []
    for scale in _SCALES:
        number, group = divmod(number, 1000)
        if group:
            groups.append(_below_thousand(group) + scale)
    return " ".join(reversed(groups))


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_SMALL[hundreds]} hundred"] if hundreds else []
    if rest:
        words.append(_below_hundred(rest))
    return " ".join(words)


def _below_hundred(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")
