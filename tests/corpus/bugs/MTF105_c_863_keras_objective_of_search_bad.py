import keras
import optuna

keras.mixed_precision.set_global_policy("mixed_float16")


def objective(trial):
    keras.backend.clear_session()  #! MTF105
    m = keras.Sequential([keras.layers.Dense(trial.suggest_int("u", 4, 64)), keras.layers.Dense(1, dtype="float32")])
    m.compile("adam", "mse")
    m.fit(X, Y, epochs=3, verbose=0)
    return m.evaluate(X, Y)


X, Y = load()
study = optuna.create_study()
study.optimize(objective, n_trials=100)
