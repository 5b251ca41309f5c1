"""An amount in words, as printed on a voucher beside the figures.

Figures can be altered with a pen; words are harder to alter, so both halves of
the amount are always written out, even where there is nothing to say. "And"
stands only between the two. Chinese has numerals of its own for the purpose,
which no stroke turns into others.
"""

_WORDS = """
    no one two three four five six seven eight nine
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
    twenty thirty forty fifty sixty seventy eighty ninety
"""
_SMALL, _TENS = _WORDS.split()[:20], _WORDS.split()[20:]
_SCALES = ("", " thousand", " million", " billion", " trillion", " quadrillion")


_NUMERALS = {"zh-Hans": "零壹贰叁肆伍陆柒捌玖", "zh-Hant": "零壹貳參肆伍陸柒捌玖"}
_FOURS = {"zh-Hans": ("", "万", "亿", "万亿", "亿亿"), "zh-Hant": ("", "萬", "億", "萬億", "億億")}


def in_words(amount: int, major: str, minor: str, language: str = "en", digits: int = 2) -> str:
    """An amount of minor units in words, so many digits of them to a major one.

    >>> in_words(12345, "dollar", "cent")
    'one hundred twenty-three dollars and forty-five cents'
    >>> in_words(100, "dollar", "cent")
    'one dollar and no cents'
    >>> in_words(1005005, "dollar", "cent", "zh-Hans")
    '壹万零伍拾元零伍分'
    """
    whole, part = divmod(amount, 10**digits)
    if language in _NUMERALS:
        return _chinese(whole, part, digits, language)
    if digits == 0:
        return _counted(whole, major)
    return f"{_counted(whole, major)} and {_counted(part, minor)}"


def _chinese(whole: int, part: int, digits: int, language: str) -> str:
    numerals, scales = _NUMERALS[language], _FOURS[language]
    text = ""
    for place in reversed(range(len(scales))):
        group = whole // 10_000**place % 10_000
        if group:
            # What is left out between two figures is called once.
            gap = numerals[0] if text and (group < 1000 or text.endswith(numerals[0])) else ""
            text = text.rstrip(numerals[0]) + gap
            text += _figures(f"{group:04}", "仟佰拾", numerals) + scales[place]
        elif text and not text.endswith(numerals[0]):
            text += numerals[0]
    whole_part = text.rstrip(numerals[0]) or numerals[0]
    return f"{whole_part}元{_figures(f'{part:0{digits}}', '角分厘', numerals, first=False) or '整'}"


def _figures(text: str, units: str, numerals: str, *, first: bool = True) -> str:
    """Digits with their units, noughts between them called once; the first ones only if wanted."""
    said = ""
    for place, digit in enumerate(text):
        if digit != "0":
            said += numerals[int(digit)] + units[place : place + 1]
        elif (said or not first) and not said.endswith(numerals[0]):
            said += numerals[0]
    return said.rstrip(numerals[0])


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
