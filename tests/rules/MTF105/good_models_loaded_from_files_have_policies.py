# models loaded from files have policies of their own

import keras

keras.config.set_dtype_policy("mixed_float16")
for name in ("a", "b"):
    keras.utils.clear_session()
    model = keras.models.load_model(f"{name}.keras")
    print(model.predict([[1.0]]))
