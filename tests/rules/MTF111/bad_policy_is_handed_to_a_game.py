# the function that predicts is handed to a game of another file, which calls it for every move

import tensorflow as tf
from game import play_episode, rows_of

net = tf.keras.Sequential([tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(6, "softmax")])
net.compile("sgd", "sparse_categorical_crossentropy")


def policy(board):
    return net.predict(board, verbose=0)  #! MTF111 warning


for _ in range(50_000):
    boards, moves = play_episode(policy)
    x, y = rows_of(boards, moves)
    net.fit(x, y, verbose=0)
