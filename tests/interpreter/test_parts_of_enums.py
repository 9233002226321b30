"""Fields and tables whose indices are only a part of an enum: their entries stay with their values."""

GAME = """
types:
  Food: [root, meat, grain]
  Sold: {type: [meat, grain]}
  Stall: {fields: {"stock[Sold]": 0..9, "price[1..2, Sold]": 0..9}, rows: [
    {id: east, stock: [1, 2], price: [[1, 2], [3, 4]]}, {id: west, stock: [3, 4], price: [[5, 6], [7, 8]]}]}
tables:
  keeps: {per: Sold, type: 0..9, values: [5, 6]}
variables:
  seen: {per: [Stall, Sold], type: 0..99}
  priced: {per: [Stall, 1..2, Sold], type: 0..9}
phases:
  main:
    do: |
      for s in Stall, f in Sold:
        seen[s, f] = 10 * s.stock[f] + keeps[f]
        for n in 1..2:
          priced[s, n, f] = s.price[n, f]
      ask first_player: pass
result:
  rank_by: ["highest seen[east, meat]"]
"""


def test_entries_stay_with_their_values(game_of):
    state = game_of(GAME, 2).new_state(seed=1)
    seen, priced = state.variables["seen"], state.variables["priced"]
    assert [[15, 26], [35, 46]] == [[row["meat"], row["grain"]] for row in (seen["east"], seen["west"])]
    assert [1, 2, 3, 4, 5, 6, 7, 8] == [
        priced[stall][n][food] for stall in ("east", "west") for n in (1, 2) for food in ("meat", "grain")
    ]
