import keras
from tools import run_fold

keras.mixed_precision.set_global_policy("mixed_float16")
for f in range(5):
    run_fold(f)  #! MTF105
