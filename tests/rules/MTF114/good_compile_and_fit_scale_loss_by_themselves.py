# compile and fit scale the loss by themselves

import keras

keras.mixed_precision.set_dtype_policy("mixed_float16")
inputs = keras.Input((4,))
outputs = keras.layers.Dense(1, dtype="float32")(keras.layers.Dense(8)(inputs))
model = keras.Model(inputs, outputs)
model.compile("adam", "mse")
model.fit([[1.0] * 4], [[1.0]])
