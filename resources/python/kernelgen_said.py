# SPDX-License-Identifier: Apache-2.0
"""Sentences for people, as core/base/said.h has them: English text that keeps the format and the arguments that it was
made of, so that nobody has to read it to translate it. Each format is in core/said/said_in_place.def."""
import re

PLACE = re.compile(r"\{[^{}]*\}")


class Said(str):
    """The text, and its `form` in JSON: {"format", "arguments"} of a sentence, where each argument is such a form again;
    a list of those that follow each other; a string for what is nothing more than its text."""

    def __new__(cls, text: str, form):
        made = super().__new__(cls, text)
        made.form = form
        return made

    def __add__(self, other) -> "Said":
        return joined("", [self, other])

    def __radd__(self, other) -> "Said":
        return joined("", [other, self])


def form_of(text: str):
    return text.form if isinstance(text, Said) else str(text)


def say(format: str, *arguments) -> Said:
    """What a format says of as many arguments as it has places: say("{} of {:.3g} s", name, 1.5)."""
    places = PLACE.findall(format)
    if len(places) != len(arguments):
        raise ValueError(f"as many places as arguments: {format}")
    told = [each if isinstance(each, Said) else place.format(each) for place, each in zip(places, arguments)]
    pieces = PLACE.split(format)
    text = pieces[0] + "".join(str(each) + after for each, after in zip(told, pieces[1:]))
    return Said(text, {"format": format, "arguments": [form_of(each) for each in told]} if told else text)


def joined(separator: str, texts) -> Said:
    """Texts that follow each other."""
    forms, text = [], separator.join(map(str, texts))
    for each in texts:
        form = form_of(each)
        forms += [separator] if forms and separator else []
        forms += form if isinstance(form, list) else [form]
    return Said(text, text if all(isinstance(each, str) for each in forms) else forms)


def told(key: str, text) -> dict:
    """The text, or the list of texts, at `key` of a record, and beside it what it was made of."""
    form = [form_of(each) for each in text] if isinstance(text, list) else form_of(text)
    return {key: text} if form == text else {key: text, key + "_said": form}
