"""What the log tells, to whom, and that it is the same however it was asked for."""

import random
from pathlib import Path

import pytest

import interpreter

CARDS = """
components:
  Card: {fields: {n: 1..8}, rows: all, label: "Card {n}"}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
  pile: {holds: Card, order: stack}
variables:
  points: {per: player, type: 0..99}
  purse: {per: player, type: 0..99, seen_by: owner}
setup: |
  for c in Card:
    move c to deck
  shuffle deck
  for p in players:
    draw 2 from deck to hand[p]
actions:
  lay:
    label: Lay {card}
    with: card in hand[me]
    do: |
      move card to pile
      points[me] += 2
      points[me] += 1
      purse[me] += 1
      say "Well done"
  sell:
    with: price in 1..3
    do: purse[me] += price
  show_all:
    do: |
      reveal hand[me] to everyone
      reveal purse[me] to everyone
  clear:
    do: move all pile to hand[me]
phases:
  main:
    turns: {rounds: 9}
    actions: [lay, sell, show_all, clear, pass]
"""


@pytest.fixture
def state(game_of):
    return game_of(CARDS, 2).new_state(seed=1)


def after(state, *texts):
    """The new lines of all viewers: of the one who acts, the other, a spectator."""
    me = state.current_seat
    seats = (me, 1 - me, None)
    before = [len(state.log(seat)) for seat in seats]
    for text in texts:
        state.apply(text)
    return [state.log(seat)[count:] for seat, count in zip(seats, before, strict=True)]


def test_setup_and_draws(state):
    mine = [f"Card {id}" for id in state.zones["hand"][0]]
    lines = state.log(0)
    assert lines[0].endswith("Card 7 and Card 8 go from the box to the deck")
    assert "The Cards in the deck are shuffled" in lines
    assert any(line in lines for line in (f"player_1 draws {a} and {b} from the deck" for a, b in (mine, mine[::-1])))
    assert "player_2 draws 2 Cards from the deck" in lines
    assert "Phase: main" == lines[-1]
    assert "player_1 draws 2 Cards from the deck" in state.log()


def test_a_card_that_is_played_is_named_to_all(state):
    card = state.zones["hand"][0][0]
    own, other, spectator = after(state, f"lay(card={card})")
    told = [f"player_1: Lay Card {card}", f"Card {card} goes from player_1's hand to the pile", "player_1's points: 3"]
    assert [*told, "player_1's purse: 1", "Well done"] == own
    assert [*told, "Well done"] == other == spectator


def test_an_argument_that_becomes_something_hidden_is_not_told(state):
    own, other, _ = after(state, "sell(price=2)")
    assert ["player_1: Sell: 2", "player_1's purse: 2"] == own
    assert ["player_1 decides"] == other


def test_what_is_shown(state):
    cards = " and ".join(f"Card {id}" for id in state.zones["hand"][0])
    own, other, _ = after(state, "show_all")
    assert f"2 Cards in player_1's hand are shown to everyone: {cards}" in other
    assert "player_1's purse is shown: 0" in other
    assert own == other


def test_moves_of_many_are_one_line(state):
    one, two = state.zones["hand"][0]
    state.apply(f"lay(card={one})")
    state.apply("pass")
    state.apply(f"lay(card={two})")
    own, other, _ = after(state, "clear")
    assert (
        ["player_2: Clear", f"All Cards of the pile go to player_2's hand: Card {two} and Card {one}"] == own == other
    )


def test_passing_tells_nothing_where_others_could_have_done_something_hidden(state):
    own, other, _ = after(state, "pass")
    assert (["player_1 passes"], ["player_1 decides"]) == (own, other)


def test_there_must_be_such_a_seat(state):
    with pytest.raises(ValueError, match="the seats are 0 to 1, not 5"):
        state.log(5)


def test_entries_of_one_variable_and_look_alikes_are_one_line(game_of):
    state = game_of("""
        components:
          Stone: {rows: [{id: black_stone, count: 3}, {id: white_stone, count: 1}]}
        zones:
          bowl: {holds: Stone, starts: Stone}
          field: {holds: Stone, order: row}
        variables:
          level: {per: [player, 1..3], type: 0..9}
          sum: {per: player, type: 0..9}
        actions:
          go:
            do: |
              for i in 1..3:
                level[me, i] = i
              level[me, 1] = 5
              for p in players:
                sum[p] = 1
              sum[me] = 1
              move all bowl to field
        phases:
          main: {turns: {rounds: 1}, actions: [go]}
    """).new_state()
    state.apply("go")
    assert [
        "player_1: Go",
        "player_1's level: 1 5, 2 2, 3 3",
        "player_1's sum: 1",
        "player_2's sum: 1",
        "All Stones of the bowl go to the field: 3× black stone and white stone",
    ] == state.log()[1:]


# ---------------------------------------------------------------- secrets

THROW = """
types:
  Move: [rock, paper]
variables:
  picked: {per: player, type: Move, seen_by: owner}
  raised: {per: player, type: 0..3, seen_by: owner}
actions:
  raise_it:
    do: raise raised[me] by up to 1
phases:
  throw:
    do: |
      for p in players, together:
        choose m in Move by p "Throw":
          picked[p] = m
        ask p: raise_it, pass
      for p in players:
        reveal picked[p] to everyone
      for p in players:
        choose x in 1..2 by p:
          nothing
"""


def test_together_nothing_is_told_before_the_end(game_of):
    state = game_of(THROW, 3).new_state()
    start = [state.log(seat) for seat in (0, 1, None)]
    state.apply("choose(m=paper)", seat=1)
    assert ["player_2 chooses paper", "player_2's picked: paper"] == state.log(1)[len(start[1]) :]
    assert (start[0], start[2]) == (state.log(0), state.log())
    state.apply("raise_it", seat=1)
    for seat in (0, 2):
        state.apply("choose(m=rock)", seat=seat)
        state.apply("pass", seat=seat)
    new = state.log(1)[len(start[1]) :]
    assert ["player_2 chooses paper", "player_2's picked: paper", "player_2: Raise it", "player_2's raised: 1"] == new[
        :4
    ]
    assert ["player_1 decides", "player_3 decides", "player_1's picked is shown: rock"] == new[4:7]
    assert ["player_1 decides", "player_2 decides", "player_3 decides"] == state.log()[len(start[2]) :][:3]


def test_what_was_chosen_in_secret_makes_no_difference_to_others(game_of):
    game = game_of(THROW, 2)
    logs = []
    for move, more in (("rock", "pass"), ("paper", "raise_it"), ("paper", "pass")):
        state = game.new_state()
        state.apply(f"choose(m={move})", seat=0)
        state.apply(more, seat=0)
        logs.append((state.log(1), state.log(), state.view(1), state.view()))
    assert logs[0] == logs[1] == logs[2]


def test_a_card_given_in_secret_is_not_named(game_of):
    state = game_of("""
        components:
          Card: {fields: {of: player, n: 1..3}, rows: all}
        zones:
          hand: {holds: Card, per: player, seen_by: owner}
          gift: {holds: Card, per: player, seen_by: owner}
        setup: |
          for c in Card:
            move c to hand[c.of]
        phases:
          main:
            do: |
              for p in players:
                choose exactly 2 c in hand[p] by p:
                  move c to gift[next(p)]
    """).new_state()
    start = len(state.log(1))
    state.apply("choose(c=player_1_1)")
    state.apply("choose(c=player_1_3)")
    moved = "Player 1 1 and player 1 3 go from player_1's hand to player_2's gift"
    first = "player_1 chooses a Card"
    assert [first, "player_1 chooses player 1 3", moved] == state.log(1)[start:]
    assert [first, first, "2 Cards go from player_1's hand to player_2's gift"] == state.log()[start:]


def test_a_top_that_is_seen_names_the_card(game_of):
    state = game_of("""
        components:
          Card: {fields: {n: 1..4}, rows: all}
        zones:
          deck: {holds: Card, order: stack, seen_by: nobody, top_seen_by: everyone, starts: Card}
          hand: {holds: Card, per: player, seen_by: nobody}
        actions:
          take:
            do: move top(deck) to hand[me]
          take_low:
            do: move bottom(deck) to hand[me]
        phases:
          main:
            turns: {rounds: 9}
            actions: [take, take_low]
    """).new_state()
    state.apply("take")
    assert "1 goes from the deck to player_1's hand" == state.log()[-1]
    state.apply("take_low")
    assert "A Card goes from the deck to player_2's hand" == state.log()[-1]


# ---------------------------------------------------------------- derived

SEATS = (None, 0, 1, 2)


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
def test_asking_after_every_move_gives_the_same_as_asking_once(park, chance):
    r = random.Random(2)
    state = park.new_state(seed=4, chance=chance)
    for n in range(60):
        if state.is_over:
            break
        if state.current_seat == -1:
            state.apply(r.choice(state.chance_outcomes())[0])
        else:
            state.apply(r.choice(state.legal_actions()))
        before = {seat: state.log(seat) for seat in SEATS}
        if n % 15 == 0:
            assert before == {seat: state.clone().log(seat) for seat in SEATS}
    assert {seat: state.log(seat) for seat in SEATS} == {seat: state.clone().log(seat) for seat in SEATS}


def test_a_log_only_grows(park):
    r = random.Random(2)
    state = park.new_state(seed=4)
    known = {seat: [] for seat in SEATS}
    for _ in range(40):
        state.apply(r.choice(state.legal_actions()))
        for seat in SEATS:
            log = state.log(seat)
            assert known[seat] == log[: len(known[seat])]
            known[seat] = log


def test_no_card_of_another_hand_is_named_before_it_is_shown(park):
    state = park.new_state(seed=4)
    hidden = [id for hand in state.zones["hand"][1:] for id in hand] + state.zones["deck"]
    told = "\n".join(state.log(0))
    assert [] == [id for id in hidden if id in told]


def test_the_end_is_told(game_of):
    state = game_of("""
        actions:
          stop: {do: win me "quick"}
        phases:
          main: {turns: {rounds: 9}, actions: [stop]}
    """).new_state()
    state.apply("stop")
    assert ["Phase: main", "player_1: Stop", "The game is over: player_1 wins (quick)"] == state.log(1)


# ---------------------------------------------------------------- what lies open

OPEN = """\
rulespec: 1
id: mark
title: Mark
players: 2
about: Mark cards, some of which lie face to all.
components:
  Card: {fields: {value: 1..4}, rows: all, label: "Card {value}"}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  table: {holds: Card, order: row, seen_by: everyone}
  hand: {holds: Card, per: player, seen_by: owner}
variables:
  mark: {per: Card, type: 0..9}
setup: |
  draw 2 from deck to table
  draw 2 from deck to hand[first_player]
actions:
  mark_open: {with: "card in table, n in 1..9", do: "mark[card] = n"}
  mark_held: {with: "card in hand[me], n in 1..9", do: "mark[card] = n"}
phases:
  play:
    turns: {times: 4, from: first_player}
    actions: [mark_open, mark_held]
    if_stuck: end game
"""


def test_what_is_written_where_all_see_it_is_told_whole(tmp_path: Path) -> None:
    """A variable per component is hidden only where the component is."""
    path = tmp_path / "game.yaml"
    path.write_text(OPEN, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    first, held = state.zones["table"][0], state.zones["hand"][0][0]
    state.apply(f"mark_open(card={first}, n=7)")
    assert state.log(1)[-2:] == [f"player_1: Mark open: Card {first}, 7", f"Mark (Card {first}): 7"]
    state.apply(state.legal_actions()[0])
    state.apply(f"mark_held(card={held}, n=7)")
    assert state.log(1)[-1] == "player_1 decides"
    assert state.log(0)[-2:] == [f"player_1: Mark held: Card {held}, 7", f"Mark (Card {held}): 7"]
