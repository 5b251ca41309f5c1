"""What is sent to an address that is no command's: passwords, accounts, people."""

from typing import Annotated, Literal

import msgspec

from cutcard.wire.words import Reason, Secret


class SignInBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    password: Secret


class RenewBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password so far, and the one to come."""

    old: Secret
    new: Secret


class NewTerminalBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account under which a device of the house signs in."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Secret
    reason: Reason


class TerminalBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What changes about a device's account: a new password, or whether it may sign in."""

    password: Secret | None = None
    barred: bool | None = None
    reason: Reason


class UnlockBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password once more."""

    password: Secret


class NewPatronBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account for a patron."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    password: Secret
    language: Literal["en", "zh-Hans", "zh-Hant"] = "en"


class PasswordBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another password, and why."""

    password: Secret
    reason: Reason


class NewPersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who begins to work here."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Secret
    role: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class PersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What changes about somebody who works here."""

    role: Annotated[str, msgspec.Meta(min_length=1, max_length=32)] | None = None
    barred: bool | None = None
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
