"""The house's keys: one signs the logs, the other encrypts what nobody may read yet.

Both are in one file that only its owner may read. Whoever has the file can sign in the
house's name and see undealt cards, so it is not kept beside the database's copies.
"""

import os
import secrets
import stat
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cutcard.refusals import Refusal

KEY, NONCE = 32, 12
FORMAT = b"\x01"
"""The first byte of a seal: ChaCha20-Poly1305, then the nonce, then the text with its tag."""

HEAD = """\
# The keys of a cutcard house. Keep this file secret, and keep a copy in a safe place: without
# it undealt shoes cannot be opened, and logs go on under another name.
"""
ABOUT = b"cutcard shoe 1\n"

Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Keys:
    """The two keys. They are never printed."""

    signing: bytes = field(repr=False)
    """An Ed25519 private key."""

    sealing: bytes = field(repr=False)

    def seal(self, about: str, plain: bytes, entropy: Entropy = secrets.token_bytes) -> bytes:
        """Encrypt something, such as the order of a shoe; it opens only under the same name."""
        # Imported here: it takes longer to load than most commands take to run.
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        nonce = entropy(NONCE)
        return FORMAT + nonce + ChaCha20Poly1305(self.sealing).encrypt(nonce, plain, _about(about))

    def unseal(self, about: str, sealed: bytes) -> bytes:
        """What was sealed under this name, unchanged; refuses anything else."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        version, nonce, text = sealed[:1], sealed[1 : 1 + NONCE], sealed[1 + NONCE :]
        try:
            if version != FORMAT or len(nonce) != NONCE:
                raise InvalidTag
            return ChaCha20Poly1305(self.sealing).decrypt(nonce, text, _about(about))
        except InvalidTag:
            raise Refusal("server/seal", {"shoe": about}) from None


def _about(name: str) -> bytes:
    return ABOUT + name.encode()


def load_keys(path: str | Path, entropy: Entropy = secrets.token_bytes) -> Keys:
    """The keys in a file, which is made if there is none."""
    try:
        with suppress(FileNotFoundError):
            return _read(Path(path))
        _create(Path(path), Keys(entropy(KEY), entropy(KEY)))
        # Read again: another server that started at the same moment may have been first.
        return _read(Path(path))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise Refusal("server/keys-unreadable", {"file": str(path), "why": why}) from None


def read_keys(path: str | Path) -> Keys:
    """The keys in a file that must be there."""
    try:
        return _read(Path(path))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise Refusal("server/keys-unreadable", {"file": str(path), "why": why}) from None


def _read(path: Path) -> Keys:
    # What is asked about and what is read are the same file, whatever happens to its name.
    # Non-blocking, so that a pipe put in its place is refused and not waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or stat.S_IMODE(about.st_mode) & 0o077:
            raise Refusal("server/keys-open", {"file": str(path)})
        if about.st_uid not in (os.geteuid(), 0):
            raise Refusal("server/keys-open", {"file": str(path)})
        written = file.read(10_000)
    try:
        found = tomllib.loads(written.decode())
        keys = Keys(bytes.fromhex(found["signing"]), bytes.fromhex(found["sealing"]))
    except (ValueError, KeyError, TypeError):
        # Nothing of what stands there is repeated: it may be most of a key.
        raise Refusal("server/keys-damaged", {"file": str(path)}) from None
    if len(keys.signing) != KEY or len(keys.sealing) != KEY or keys.signing == keys.sealing:
        raise Refusal("server/keys-damaged", {"file": str(path)})
    return keys


def _create(path: Path, keys: Keys) -> None:
    """Write the file whole under another name, then give it its own if nobody has it yet."""
    written = f'{HEAD}signing = "{keys.signing.hex()}"\nsealing = "{keys.sealing.hex()}"\n'
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(written.encode())
            file.flush()
            os.fsync(file.fileno())
        # Unlike a rename, a link never replaces a file that is there.
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
