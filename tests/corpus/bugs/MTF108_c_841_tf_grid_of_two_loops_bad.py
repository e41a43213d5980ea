import tensorflow as tf


def make_model(units, lr):
    m = tf.keras.Sequential([tf.keras.layers.Dense(units, activation="relu"), tf.keras.layers.Dense(1)])
    m.compile(tf.keras.optimizers.Adam(lr), "mse")
    return m


def grid(x, y):
    best = None
    for units in (16, 32, 64, 128):
        for lr in (1e-2, 1e-3, 1e-4):
            model = make_model(units, lr)  #! MTF108
            h = model.fit(x, y, epochs=20, verbose=0)
            best = min(best or 1e9, h.history["loss"][-1])
    return best
