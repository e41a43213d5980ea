import keras


def run_fold(f):
    keras.backend.clear_session()  #= MTF105
    m = keras.Sequential([keras.layers.Dense(3)])
    m.compile("adam", "mse")
    m.fit(range(3), range(3))
