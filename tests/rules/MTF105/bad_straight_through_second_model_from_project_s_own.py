# straight through, the second model from a project's own factory

from keras.backend import clear_session
from keras.mixed_precision import set_dtype_policy

from project.models import build_model

set_dtype_policy("mixed_float16")
teacher = build_model(512)
teacher.compile("adam", "mse")
clear_session()  #! MTF105
student = build_model(64)
student.compile("adam", "mse")
