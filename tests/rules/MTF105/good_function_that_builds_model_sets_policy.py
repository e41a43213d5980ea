# the function that builds the model sets the policy

import keras

keras.mixed_precision.set_global_policy("mixed_float16")


def build():
    keras.mixed_precision.set_global_policy("mixed_float16")
    return keras.Sequential([keras.layers.Dense(1, dtype="float32")])


for trial in range(10):
    keras.utils.clear_session()
    model = build()
