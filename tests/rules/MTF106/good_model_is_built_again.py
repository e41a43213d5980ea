# the model is built again after it

import keras


def build():
    return keras.Sequential([keras.layers.Dense(1)])


model = build()
model.save("first.keras")
keras.utils.clear_session()
model = build()
model.load_weights("first.keras")
model.predict([[1.0]])
