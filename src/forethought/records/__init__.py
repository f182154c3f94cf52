"""Records: games that were played, from files and to files.

    transcript.py  a game as a file tells it, and what can be wrong with it
    formats.py     the registry of formats; a format is one file: json_text.py, openspiel.py, wthor.py, sgf/
    window.py      the part of a long file that is in memory
    ratings.py     ratings and ranks as numbers
    identity.py    whether a file's game is the one that is asked for
    replay.py      every move replayed through the rules
    collection.py  files to games: found, read, checked, filtered, without duplicates
    data_set.py    the games as compact arrays, divided into training and held-out games; a format too
    positions.py   the games of a data set as positions to learn from
    summary.py     what a data set holds

Nothing that a file says is believed: a game counts when the rules have played it.
"""
