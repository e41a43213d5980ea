import keras


def cv(x, y, folds, fp16=True):
    for tr, va in folds:
        keras.backend.clear_session()
        if fp16:
            keras.mixed_precision.set_global_policy("mixed_float16")
        m = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1, dtype="float32")])
        m.compile("adam", "mse")
        m.fit(x[tr], y[tr])


def once(x, y):
    keras.mixed_precision.set_global_policy("float32")
    keras.backend.clear_session()
    m = keras.Sequential([keras.layers.Dense(1)])
    m.compile("adam", "mse")
    m.fit(x, y)
