"""The command that drills dealers: a lesson, its questions, an answer, and why."""

import secrets
import sys
from collections import Counter
from re import fullmatch
from typing import Annotated

import typer
from rich.console import Console

from cutcard.cli.app import Json, app, terminal, write
from cutcard.cli.draw import school as draw
from cutcard.refusals import Refusal
from cutcard.rulebooks import load
from cutcard.rules.rulebook import Rulebook
from cutcard.school import Question, Quote, Verdict, marked
from cutcard.school import drill as lessons

USUAL = 10
MOST_QUESTIONS = 500
MOST_SEEDS = 10**6
WIDEST = 100
"""Longer lines than this are hard to read, however wide the terminal is."""

ENDS = ("q", "quit", "exit")


@app.command()
def drill(
    book: Annotated[
        str, typer.Argument(help="A rulebook's id, or the path of a file of your own.")
    ] = "rws-commission",
    seed: Annotated[
        int | None, typer.Option("--seed", help="The same seed asks the same questions.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", min=1, max=MOST_QUESTIONS, help="How many.")
    ] = USUAL,
    as_json: Json = False,
) -> None:
    """Practise as a dealer: rounds in which something went wrong, and what the book orders."""
    found = load(book)
    chosen = secrets.randbelow(MOST_SEEDS) if seed is None else seed
    if as_json:
        write(document(found, chosen, questions))
        return
    console = terminal()
    console.width = min(console.width, WIDEST)
    Session(console, questions).run(found, chosen)
    console.print(f"The same again: cutcard drill {book} --seed {chosen} --questions {questions}")


def document(book: Rulebook, seed: int, questions: int) -> dict[str, object]:
    """The whole drill for programs, right answers included."""
    return {
        "book": book.id,
        "seed": seed,
        "questions": questions,
        "lessons": [one.document() for one in lessons(book, seed, questions)],
    }


class Session:
    """One drill at one terminal."""

    def __init__(self, console: Console, questions: int) -> None:
        self.console = console
        self.questions = questions
        self.answered = 0
        self.right = 0
        self.missed: Counter[Quote] = Counter()
        """Clauses of the questions that were answered wrong."""

    def run(self, book: Rulebook, seed: int) -> None:
        """Ask until all is asked, or nobody answers any more."""
        if hasattr(sys.stdin, "reconfigure"):
            # What cannot be read as text is nonsense, and nonsense is asked for again.
            sys.stdin.reconfigure(errors="replace")
        self.console.print(draw.school_opening(book.name, seed, self.questions))
        try:
            for number, lesson in enumerate(lessons(book, seed, self.questions), start=1):
                self.console.print(draw.lesson(number, lesson))
                for question in lesson.questions:
                    self.ask(question)
        except (EOFError, KeyboardInterrupt):
            # Whoever stops may stop; what was answered counts.
            self.console.print()
        self.console.print(draw.school_end(self.answered, self.questions, self.right, self.missed))

    def ask(self, question: Question) -> None:
        self.console.print(draw.question(self.answered + 1, self.questions, question))
        verdict = self.hear(question)
        self.answered += 1
        self.right += verdict.right
        if not verdict.right:
            self.missed.update(verdict.quotes)
        self.console.print(draw.verdict(verdict))

    def hear(self, question: Question) -> Verdict:
        """An answer that is one of the choices; anything else is asked for again."""
        while True:
            said = read(self.console).strip()
            if said.lower() in ENDS:
                raise EOFError
            number = int(said) if fullmatch(r"[0-9]{1,3}", said) else 0
            try:
                return marked(question, number - 1)
            except Refusal as refusal:
                self.console.print(str(refusal))


def read(console: Console) -> str:
    """A line of input. One that nobody typed is written down, so that the page can be read."""
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    said = console.input("Your answer: ")
    if not sys.stdin.isatty():
        console.print(said)
    return said
