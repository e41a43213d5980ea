"""bfloat16 policy in main, folds in a function, clear_session between them."""
import numpy as np
import tensorflow as tf
from sklearn.model_selection import KFold
from tensorflow.keras import backend as K


def make(shape):
    m = tf.keras.Sequential([tf.keras.layers.Input(shape), tf.keras.layers.LSTM(64), tf.keras.layers.Dense(1, dtype="float32")])
    m.compile(optimizer="rmsprop", loss="mae")
    return m


def folds(x, y):
    scores = []
    for tr, va in KFold(5).split(x):
        K.clear_session()  #! MTF105
        m = make(x.shape[1:])
        m.fit(x[tr], y[tr], epochs=10, verbose=0)
        scores.append(m.evaluate(x[va], y[va]))
    return scores


def main():
    tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    print(np.mean(folds(np.random.rand(100, 10, 4), np.random.rand(100))))


if __name__ == "__main__":
    main()
