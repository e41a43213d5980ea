import keras
import optuna
from keras import layers


def objective(trial):
    keras.utils.clear_session()
    keras.mixed_precision.set_global_policy("mixed_float16")
    n = trial.suggest_int("n", 32, 512)
    model = keras.Sequential([layers.Dense(n, activation="relu"), layers.Dense(10, dtype="float32")])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    (x, y), _ = keras.datasets.mnist.load_data()
    return model.fit(x.reshape(-1, 784) / 255.0, y, epochs=1).history["accuracy"][-1]


optuna.create_study(direction="maximize").optimize(objective, n_trials=30)
