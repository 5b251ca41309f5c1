"""A seeded simulator of a whole floor, and an auditor that shares no code with the engine.

Read `floor.run` first: it lets patrons and staff wish at random, lawfully or not,
crashes now and then, and hands everything that happened to the auditor as plain
values. This file imports nothing, so that the auditor can be imported alone.
"""
