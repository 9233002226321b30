"""Matches: what can be taken back, and files."""

import json
import random
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter import IllegalAction, Match, SaveError, UndoError

GAME = """
components:
  Card: {fields: {n: 1..9}, rows: all, label: "Card {n}"}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
  face_down: {holds: Card, per: player, seen_by: nobody}
  pile: {holds: Card, order: stack}
variables:
  points: {per: player, type: 0..99}
setup: |
  for c in Card:
    move c to deck
  shuffle deck
  for p in players:
    draw 3 from deck to hand[p]
actions:
  score_two:
    do: |
      choose a in 1..3 by me:
        points[me] += a
      choose b in 1..3 by me:
        points[me] += b
  keep:
    with: card in hand[me]
    do: |
      move card to face_down[me]
      choose n in 1..2 by me:
        points[me] += n
  lay:
    with: card in hand[me]
    do: |
      move card to pile
      choose n in 1..2 by me:
        points[me] += n
  take:
    do: |
      draw 1 from deck to hand[me]
      choose n in 1..2 by me:
        points[me] += n
  mix:
    do: |
      shuffle deck
      choose n in 1..2 by me:
        points[me] += n
  roll:
    do: |
      choose d in 1..6 by chance:
        points[me] += d
      choose n in 1..2 by me:
        points[me] += n
  show_hand:
    do: |
      reveal hand[me] to everyone
      choose n in 1..2 by me:
        points[me] += n
  rest: {do: nothing}
phases:
  main:
    turns: {rounds: 9}
    actions: [score_two, keep, lay, take, mix, roll, show_hand, rest]
"""


@pytest.fixture
def match(game_of):
    return Match(game_of(GAME, 2), seed=3)


def refusal(match, seat=None):
    before = match.state.to_json()
    with pytest.raises(UndoError) as caught:
        match.undo(seat)
    assert match.can_undo(seat) == str(caught.value)
    assert before == match.state.to_json()
    return str(caught.value)


# ---------------------------------------------------------------- undo


def test_what_changed_nothing_hidden_can_be_taken_back_step_by_step(match):
    texts = [match.state.to_json()]
    for action in ("score_two", "choose(a=2)", "choose(b=3)"):
        match.apply(action)
        texts.append(match.state.to_json())
    for wanted in texts[-2::-1]:
        assert "" == match.can_undo(0)
        match.undo(0)
        assert wanted == match.state.to_json()
    assert "player_1 has decided nothing yet" == refusal(match, 0)


def test_a_card_laid_face_down_can_be_taken_back(match):
    before = match.state.to_json()
    match.apply(match.state.legal_actions()[1])
    assert "keep" == match.history[0][1].name
    match.undo(0)
    assert before == match.state.to_json()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("take", "a Card has come from the deck to player_1's hand"),
        ("mix", "the deck has been shuffled"),
        ("roll", "chance has decided something"),
        ("show_hand", "3 Cards have been shown"),
    ],
)
def test_what_cannot_be_taken_back(match, action, reason):
    match.apply(action)
    assert reason == refusal(match, 0)
    match.apply("choose(n=1)")
    before = match.state.to_json()
    match.undo(0)
    assert "choose(n=1)" in map(str, match.state.legal_actions())
    match.apply("choose(n=1)")
    assert before == match.state.to_json()


def test_a_card_that_was_shown_cannot_be_taken_back(match):
    card = match.state.zones["hand"][0][0]
    match.apply(f"lay(card={card})")
    assert f"Card {card} has been shown" == refusal(match, 0)


def test_another_seat_has_decided(match):
    match.apply("rest")
    match.apply("rest")
    assert "player_2 has decided since" == refusal(match, 0)
    match.undo()
    assert 1 == match.state.current_seat
    match.undo()
    assert (0, []) == (match.state.current_seat, match.history)
    assert "nothing has been decided yet" == refusal(match)


def test_together_the_decisions_of_others_count(game_of):
    match = Match(
        game_of("""
        variables:
          bid: {per: player, type: 0..3, seen_by: owner}
        phases:
          main:
            do: |
              for p in players, together:
                choose n in 1..3 by p:
                  bid[p] = n
        """, 2)
    )  # fmt: skip
    start = match.state.to_json()
    match.apply("choose(n=2)", seat=1)
    match.undo(1)
    assert start == match.state.to_json()
    match.apply("choose(n=2)", seat=1)
    match.apply("choose(n=3)", seat=0)
    assert "player_1 has decided since" == refusal(match, 1)
    # Whoever decides last sees at once what the others chose, and must not choose again.
    assert "all have decided, and what they chose is known" == refusal(match, 0)


def test_in_secret_a_seat_takes_back_what_it_alone_has_chosen(game_of):
    match = Match(
        game_of("""
        variables:
          bid: {per: player, type: 0..9}
        phases:
          main:
            do: |
              for p in players, together:
                choose n in 1..3 by p:
                  bid[p] = n
                choose m in 1..3 by p:
                  bid[p] += m
              choose last in 1..3 by first_player:
                nothing
        """, 2)
    )  # fmt: skip
    match.apply("choose(n=2)", seat=1)
    match.apply("choose(m=2)", seat=1)
    match.undo(1)
    match.apply("choose(m=3)", seat=1)
    match.apply("choose(n=1)", seat=0)
    assert "player_1 has decided since" == refusal(match, 1)
    match.undo(0)
    match.apply("choose(n=1)", seat=0)
    match.apply("choose(m=1)", seat=0)
    assert "all have decided, and what they chose is known" == refusal(match, 0)


def test_undo_is_the_same_as_playing_the_shorter_history(park):
    r = random.Random(9)
    match, undone = Match(park, seed=2), 0
    for _ in range(60):
        if match.state.is_over:
            break
        match.apply(r.choice(match.state.legal_actions()))
        for seat in range(3):
            if not match.can_undo(seat):
                other = Match(park, seed=2)
                for who, action in match.history:
                    other.apply(action, who)
                other.undo(seat)
                again = Match(park, seed=2)
                for who, action in match.history[: len(other.history)]:
                    again.apply(action, who)
                assert again.state.to_json() == other.state.to_json()
                assert again.state.log(seat) == other.state.log(seat)
                undone += 1
    assert undone


# ---------------------------------------------------------------- files


@pytest.fixture
def played(match, tmp_path):
    for action in ("score_two", "choose(a=2)", "choose(b=3)", "roll"):
        match.apply(action)
    match.save(tmp_path / "match.json")
    return match


def edited(file, **parts):
    data = json.loads(file.read_text(encoding="utf-8"))
    del data["check"]
    file.write_text(json.dumps({**data, **parts}), encoding="utf-8")
    return file


def test_a_match_comes_back_as_it_was(played, tmp_path):
    loaded = Match.load(tmp_path / "match.json")
    assert played.state.to_json() == loaded.state.to_json()
    assert list(map(str, played.history)) == list(map(str, loaded.history))
    assert played.seed == loaded.seed
    loaded.apply("choose(n=2)")


def test_a_match_can_be_given_its_spec(played, tmp_path):
    path = tmp_path / "match.json"
    edited(path, path="/nowhere/game.yaml")
    with pytest.raises(SaveError, match="the game `tiny` of this save is not found"):
        Match.load(path)
    assert played.state.to_json() == Match.load(path, played.game.spec).state.to_json()


def test_an_installed_game_is_found_by_its_id(park, tmp_path):
    match = Match(park, seed=1)
    match.apply(match.state.legal_actions()[0])
    match.save(tmp_path / "m.json")
    edited(tmp_path / "m.json", path="/nowhere/game.yaml")
    assert match.state.to_json() == Match.load(tmp_path / "m.json").state.to_json()


def test_saving_leaves_no_other_files_and_replaces_the_old_one(played, tmp_path):
    played.save(tmp_path / "match.json")
    assert ["game.yaml", "match.json"] == sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(OSError):
        played.save(tmp_path / "no" / "match.json")


def test_under_changed_rules_the_first_decision_that_does_not_work_is_named(played, tmp_path):
    path = tmp_path / "game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("choose b in 1..3", "choose b in 1..2"), encoding="utf-8")
    with pytest.raises(SaveError) as caught:
        Match.load(tmp_path / "match.json")
    told = "decision 3, `choose(b=3)` of player_1, is not possible; the rules have changed since it was saved: "
    assert str(caught.value).startswith(told)
    assert str(caught.value).endswith("`b` cannot be `3`: it is a number from 1 to 2")


def test_under_changed_rules_that_still_allow_it_a_match_goes_on(played, tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("rounds: 9", "rounds: 8"), encoding="utf-8")
    assert len(played.history) == len(Match.load(tmp_path / "match.json").history)


def test_under_changed_rules_an_earlier_difference_of_options_is_told(played, tmp_path):
    path = tmp_path / "game.yaml"
    text = path.read_text(encoding="utf-8").replace("choose b in 1..3", "choose b in 1..2")
    path.write_text(text.replace("choose a in 1..3", "choose a in 1..4"), encoding="utf-8")
    with pytest.raises(SaveError) as caught:
        Match.load(tmp_path / "match.json")
    assert str(caught.value) == (
        "decision 3, `choose(b=3)` of player_1, is not possible; the rules have changed since it was saved "
        "(the options differ from decision 2 on): `b` cannot be `3`: it is a number from 1 to 2"
    )


def test_a_file_that_was_edited_is_damaged(played, tmp_path):
    path = tmp_path / "match.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"seed": 3', '"seed": 4'), encoding="utf-8")
    with pytest.raises(SaveError) as caught:
        Match.load(path)
    assert "this save is damaged: it is not as it was written; its `check` does not fit" == str(caught.value)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SaveError, match=r"^this save is damaged: at decision 1 it had other options$"):
        Match.load(edited(path, checks=["0" * 16]))
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SaveError, match=r"^this save is damaged: its decisions do not lead to its result$"):
        Match.load(edited(path, result={"winners": [0], "scores": [], "outcome": ""}))


@pytest.mark.parametrize("broken", ["fsync", "replace", "write"])
def test_a_save_that_fails_leaves_the_file_as_it_was(played, tmp_path, monkeypatch, broken):
    path = tmp_path / "match.json"
    before, files = path.read_bytes(), sorted(p.name for p in tmp_path.iterdir())

    def full(*_):
        raise OSError(28, "No space left on device")

    if broken == "write":
        monkeypatch.setattr("interpreter.saves.states.os.fdopen", lambda *_, **__: Full())
    else:
        monkeypatch.setattr(f"interpreter.saves.states.os.{broken}", full)
    played.apply(played.state.legal_actions()[0])
    with pytest.raises(OSError, match="No space left on device"):
        played.save(path)
    monkeypatch.undo()
    assert before == path.read_bytes()
    assert files == sorted(p.name for p in tmp_path.iterdir())


class Full:
    """A file on a full disk."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def write(self, _):
        raise OSError(28, "No space left on device")


def test_a_save_keeps_the_rights_of_a_file_and_a_link_to_it(played, tmp_path):
    path = tmp_path / "match.json"
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    played.save(link)
    assert link.is_symlink()
    assert 0o640 == path.stat().st_mode & 0o777
    assert Match.load(path).state.to_json() == Match.load(link).state.to_json() == played.state.to_json()


def test_a_spec_that_no_longer_checks(played, tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("rounds: 9", "rounds: nine"), encoding="utf-8")
    with pytest.raises(rulespec.SpecError):
        Match.load(tmp_path / "match.json")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"kind": "state"}, "a save of a state, not of a match"),
        ({"format": 2}, "has format 2"),
        ({"seed": None}, "`seed` is missing or not what it should be"),
        ({"any_time": "never"}, 'any_time is "never"'),
        ({"players": 9}, "does not fit the rules as they are now: Tiny is for 2 to 4 players, not 9"),
        ({"options": {"odd": "1"}}, "does not fit the rules as they are now"),
        ({"actions": [[0, 1]]}, "decision 1 is"),
        ({"actions": [[0, "dance"]]}, "decision 1, `dance` of player_1, is not possible: there is no action `dance`"),
        ({"actions": [[1, "rest"]]}, "decision 1, `rest` of player_2, is not possible: player_1 decides then"),
        ({"actions": [[5, "rest"]]}, "decision 1, `rest` of seat 5, is not possible: player_1 decides then"),
    ],
)
def test_a_damaged_file(played, tmp_path, parts, message):
    with pytest.raises(SaveError) as caught:
        Match.load(edited(tmp_path / "match.json", **parts))
    assert message in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[]"])
def test_no_save(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(SaveError, match="this is no save"):
        Match.load(path)


def test_a_file_that_is_not_there():
    with pytest.raises(OSError):
        Match.load(Path("no_such_file.json"))


def test_an_action_that_is_not_possible_changes_nothing(match):
    before = match.state.to_json()
    with pytest.raises(IllegalAction):
        match.apply("choose(a=1)")
    assert before == match.state.to_json()
    assert "Match" in interpreter.__all__


def test_actions_at_any_time_served_open(game_of, tmp_path):
    match = Match(
        game_of("""
        variables:
          left: {per: player, type: 0..3, start: 3, seen_by: owner}
          points: {per: player, type: 0..99}
        actions:
          boost:
            when: left[me] > 0
            do: |
              left[me] -= 1
              points[me] += 1
          go: {do: nothing}
        phases:
          main:
            turns: {rounds: 4}
            actions: [go]
            any_time: [boost]
        """, 3),
        any_time="open",
    )  # fmt: skip
    assert [0, 1, 2] == match.state.deciding_seats()
    match.apply("boost", seat=2)
    match.apply("boost", seat=1)
    assert "player_2 has decided since" == refusal(match, 2)
    match.undo(1)
    r = random.Random(1)
    while not match.state.is_over:
        loaded = match.game.state_from_json(match.state.to_json())
        assert match.state.to_json() == loaded.to_json()
        for seat in (None, 0, 1, 2):
            assert match.state.view(seat) == loaded.view(seat)
            assert match.state.log(seat) == loaded.log(seat)
        # Whether another seat could come between depends on what only that seat sees.
        assert match.state.view()["deciding"] == [match.state.current_seat]
        seat = r.choice(match.state.deciding_seats())
        match.apply(r.choice(match.state.legal_actions(seat)), seat)
    match.save(tmp_path / "open.json")
    assert match.state.to_json() == Match.load(tmp_path / "open.json").state.to_json()
