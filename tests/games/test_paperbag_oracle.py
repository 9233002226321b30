"""Paperbag Dungeon beside a second reading of its rules, written down here from the drawings of the cards alone.

In random games of Janitor Mode the places where a card may be built, and which monsters have a way to a gate, must be
those that this reading finds.
"""

from __future__ import annotations

import csv
import random
from collections import deque
from pathlib import Path

import interpreter
from interpreter import State

FOLDER = Path(__file__).parents[2] / "games" / "paperbag_dungeon"
SIDES = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
AGAINST = {"n": "s", "s": "n", "e": "w", "w": "e"}
WIDTH, HEIGHT = 42, 35

Cell = tuple[int, int]
Place = tuple[int, int, int]
"""Column and row of the south-west corner, and quarter turns."""


def deck() -> dict[str, dict[str, str]]:
    with (FOLDER / "data" / "cards.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


CARDS = deck()


def picture(card: str, turns: int) -> list[str]:
    """The lines of a drawing after clockwise quarter turns, the northernmost first."""
    lines = CARDS[card]["mask"].split("/")
    for _ in range(turns):
        lines = ["".join(line[column] for line in reversed(lines)) for column in range(len(lines[0]))]
    return lines


def painted(card: str, place: Place) -> dict[Cell, str]:
    column, row, turns = place
    return {
        (column + x, row + y): letter
        for y, line in enumerate(reversed(picture(card, turns)))
        for x, letter in enumerate(line)
    }


def exits(card: str, place: Place) -> list[tuple[Cell, str]]:
    cells = painted(card, place)
    return [
        (cell, side)
        for cell, letter in cells.items()
        for side, (dx, dy) in SIDES.items()
        if letter == "." and (cell[0] + dx, cell[1] + dy) not in cells
    ]


class Dungeon:
    """What lies on the table, later cards over earlier ones."""

    def __init__(self, state: State) -> None:
        zone = state.view(0)["zones"]["dungeon"]
        self.places: dict[str, Place] = {}
        self.marks: dict[str, set[str]] = {}
        for card, face, spot in zip(zone["cards"], zone["faces"], zone["spots"], strict=True):
            name, turns = spot.split("/")
            column, row = name[1:].split("r")
            self.places[card] = (int(column), int(row), int(turns))
            self.marks[card] = set(CARDS[card][f"marks_{face}"].split())
        self.top: dict[Cell, tuple[str, str]] = {}
        for card, place in self.places.items():
            self.top.update({cell: (card, letter) for cell, letter in painted(card, place).items()})
        self.exits = [
            (card, cell, side)
            for card, place in self.places.items()
            for cell, side in exits(card, place)
            if self.top[cell][0] == card
        ]

    def joined(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {card: set() for card in self.places}
        facing = {(cell, side): card for card, cell, side in self.exits}
        for (x, y), side in facing:
            dx, dy = SIDES[side]
            other = facing.get(((x + dx, y + dy), AGAINST[side]))
            if other is not None:
                found[facing[(x, y), side]].add(other)
        return found

    def is_gate(self, card: str) -> bool:
        return bool(self.marks[card] & {"gate_closed", "gate_open"})

    def depths(self) -> dict[str, int]:
        """How many cards each card is away from the nearest gate."""
        ways, found = self.joined(), {card: 0 for card in self.places if self.is_gate(card)}
        queue = deque(found)
        while queue:
            card = queue.popleft()
            for other in ways[card] - set(found):
                found[other] = found[card] + 1
                queue.append(other)
        return found

    def loose(self, monster: str) -> bool:
        """Whether a monster has a way to a gate through no closed door and no grate."""
        ways, seen, queue = self.joined(), {monster}, deque([monster])
        while queue:
            card = queue.popleft()
            if self.is_gate(card):
                return True
            if card != monster and self.marks[card] & {"door_closed", "metal_door_closed", "grate"}:
                continue
            new = ways[card] - seen
            seen |= new
            queue += new
        return False

    def places_for(self, card: str, drawn: bool, face: str) -> set[Place]:
        """Where a card may be built."""
        touching: dict[Place, int] = {}
        depths = self.depths()
        for owner, (x, y), side in self.exits:
            dx, dy = SIDES[side]
            cell = (x + dx, y + dy)
            if not (1 <= cell[0] <= WIDTH and 1 <= cell[1] <= HEIGHT) or self.top.get(cell, ("", "#"))[1] != "#":
                continue
            for turns in range(4):
                for (ex, ey), facing in exits(card, (0, 0, turns)):
                    if facing == AGAINST[side]:
                        place = (cell[0] - ex, cell[1] - ey, turns)
                        touching[place] = min(touching.get(place, 99), depths[owner])
        on_table = {
            place: depth
            for place, depth in touching.items()
            if all(1 <= x <= WIDTH and 1 <= y <= HEIGHT for x, y in painted(card, place))
        }
        covered = {place: {self.top[c][1] for c in painted(card, place) if c in self.top} for place in on_table}
        clear = {place for place in on_table if not covered[place]}
        fitting = clear or {place for place in on_table if covered[place] == {"#"}}
        marks = set(CARDS[card][f"marks_{face}"].split())
        if drawn and fitting and marks & {"live", "down"}:
            wanted = (max if "live" in marks else min)(on_table[place] for place in fitting)
            return {place for place in fitting if on_table[place] == wanted}
        return fitting


def offered(state: State, name: str) -> dict[str, set[Place]]:
    found: dict[str, set[Place]] = {}
    for option in state.legal_actions():
        if option.name == name:
            space, turns = option.args["spot"].split("/")
            column, row = space[1:].split("r")
            found.setdefault(option.args["card"], set()).add((int(column), int(row), int(turns)))
    return found


def test_places_and_ways_are_those_of_a_second_reading() -> None:
    game = interpreter.load_game(
        FOLDER / "janitor.yaml", options={"table_long": 6, "table_short": 5, "deck_size": 18, "vault_size": 4}
    )
    builds = monsters = swaps = 0
    for seed in range(12):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            view = state.view(0)
            if view["phase"][-1] == "build":
                dungeon, (card,) = Dungeon(state), view["zones"]["drawn"]["cards"]
                face = view["zones"]["drawn"]["faces"][0]
                assert dungeon.places_for(card, True, face) == offered(state, "build_drawn").get(card, set())
                builds += 1
                must = set(CARDS[card][f"marks_{face}"].split()) & {"live", "down", "gate_closed", "gate_open"}
                monsters += bool(must & {"live", "down"})
                vault = view["zones"]["vault"]["player_1"]
                for other, other_face in zip(vault["cards"], vault["faces"], strict=True):
                    places = set() if must else dungeon.places_for(other, False, other_face)
                    assert places == offered(state, "build_from_vault").get(other, set())
                    swaps += bool(places)
            elif state.prompt(0) == "Which monster goes next?":
                dungeon = Dungeon(state)
                for option in state.legal_actions():
                    assert dungeon.loose(option.args["m"])
            state.apply(chance.choice(state.legal_actions()))
    assert builds > 60
    assert monsters > 8
    assert swaps > 60
