import tensorflow as tf


class Speller(tf.keras.Model):
    def __init__(self, letters):
        super().__init__()
        self.look = tf.keras.layers.Embedding(letters, 16)
        self.cell = tf.keras.layers.GRUCell(32)
        self.score = tf.keras.layers.Dense(letters)

    def spell(self, state, first, length):
        letter = tf.fill([tf.shape(state)[0]], first)
        word = letter[:, None]
        for _ in range(length - 1):
            hidden, state = self.cell(self.look(letter), state)
            letter = tf.argmax(self.score(hidden), -1, output_type=tf.int32)
            word = tf.concat([word, letter[:, None]], 1)
        return word


def roll(model, token, length):
    out = token
    for _ in range(length):
        token = model(token)
        token = tf.argmax(token, -1)
        out = tf.concat([out, token], 1)
    return out
