"""Fixes for TensorFlow are offered where what uses the value accepts the new one, and nowhere else.

A mark such as `#! unsafe` says which fix the finding of a line has.
"""

from __future__ import annotations

import re

import pytest

from memlint.engine import check as engine
from memlint.finding import FileReport

SCRIPTS = {
    # the second loop counts from one, so its number is not that of the device
    "MTF102": """\
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for number, gpu in enumerate(gpus):
    print(number, tf.config.experimental.get_memory_info(gpu))  #! repair
for number, gpu in enumerate(gpus, 1):
    print(number, tf.config.experimental.get_memory_info(gpu))  #! none
for number, gpu in enumerate(gpus):
    number += 1
    print(number, tf.config.experimental.get_memory_info(gpu))  #! none
""",
    # a comment on the growth line would be left beside the limit, which it is not about
    "MTF103": """\
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
limits = [tf.config.LogicalDeviceConfiguration(memory_limit=4096)]
# the first of them
tf.config.experimental.set_memory_growth(gpus[0], True)  #! safe
tf.config.set_logical_device_configuration(gpus[0], limits)
tf.config.experimental.set_memory_growth(gpus[1], True)  # grow as needed  #! none
tf.config.set_logical_device_configuration(gpus[1], limits)
tf.config.experimental.set_memory_growth(  #! none
    gpus[2],  # the card
    True,
)
tf.config.set_logical_device_configuration(gpus[2], limits)
""",
    # names begin again: a layer from before the loop could share its name with a new one
    "MTF108": """\
import tensorflow as tf

shared = tf.keras.layers.Dense(8)


def widths(x, y):
    for units in range(8, 128, 8):
        model = tf.keras.Sequential([shared, tf.keras.layers.Dense(units)])  #! none
        model.compile("adam", "mse")
        model.fit(x, y)


widths(tf.zeros((8, 4)), tf.zeros((8, 1)))
""",
    # the file imports something called gpu, which the fix must not overwrite
    "MTF104": """\
from settings import gpu
import tensorflow as tf  #! unsafe

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
with tf.device(f"/GPU:{gpu}"):
    model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
""",
    # random numbers of a function that runs in parallel come in another order: safe for the decoding alone
    "MTF107": """\
import tensorflow as tf


def load(path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))


def spoil(x):
    return tf.nn.dropout(x, 0.5)


def train(model, files):
    ds = tf.data.Dataset.from_tensor_slices(files).map(load)  #! safe
    ds = ds.map(spoil).batch(32).prefetch(2)  #! unsafe
    model.fit(ds)
""",
    # a number that is multiplied with a tensor cannot become one; one that is compared or cast can
    "MTF110": """\
import tensorflow as tf


@tf.function
def warm_up(x, step):
    return x * (0.1 / (1 + step))


@tf.function
def switch(x, step):
    tf.summary.scalar("size", tf.norm(x), step=step)
    if step % 100 == 0:
        return x * tf.cast(step, tf.float32)
    return x


@tf.function
def pick(x, step):
    return x * SCALES[step]


SCALES = [0.1, 0.2, 0.5] * 400
for step in range(1000):
    x = tf.random.normal((32, 4))
    warm_up(x, step)  #! none
    switch(x, step)  #! unsafe
    pick(x, step)  #! none
""",
    # what each step predicts again may be a data set, for which the model cannot be called
    "MTF111": """\
import numpy as np
import tensorflow as tf
from transformers import TFBertForSequenceClassification

net = tf.keras.Sequential([tf.keras.layers.Dense(4)])


def play(env, probe):
    state = env.reset()
    for _ in range(10_000):
        action = np.argmax(net.predict(state[None], verbose=0))  #! unsafe
        state, reward, done, _ = env.step(action)
        print(net.predict(probe, verbose=0).mean())  #! none


bert = TFBertForSequenceClassification.from_pretrained("bert-base-cased")


def classify(texts, tokenizer):
    for text in texts:
        print(bert.predict(dict(tokenizer(text, return_tensors="np")), verbose=0).logits)  #! none
""",
    # numpy() is called on the elements of the first list or on their parts, the second gets two outputs at a
    # time, and models of transformers give objects with fields
    "MTF112": """\
import numpy as np
import tensorflow as tf
from transformers import TFBertModel

bert = TFBertModel.from_pretrained("bert-base-cased")
image = tf.keras.Input((64,))
model = tf.keras.Model(image, tf.keras.layers.Dense(512)(image))
both = tf.keras.Model(image, [tf.keras.layers.Dense(512)(image), tf.keras.layers.Dense(8)(image)])
dataset = tf.data.Dataset.from_tensors(tf.zeros((8, 64))).repeat(500)


def arrays():
    found = []
    for x in dataset:
        found.append(model(x, training=False))  #! none
    return np.concatenate([part.numpy() for part in found])


def pairs():
    found = []
    for x in dataset:
        found.append(both(x, training=False))  #! none
    return found


def rows():
    found = []
    for x in dataset:
        found.append(model(x, training=False))  #! none
    return [part[0].numpy() for part in found], found[1][0].numpy()


def objects():
    found = []
    for x in dataset:
        found.append(bert(x))  #! none
    return found


def tensors():
    found = []
    for x in dataset:
        found.append(model(x, training=False))  #! unsafe
    return np.concatenate(found)
""",
}


def report_of(code: str, text: str) -> FileReport:
    rule = frozenset({code})
    return engine.check(text, "t.py", engine.Checks(rule, rule, "t.py"))


@pytest.mark.parametrize("code", SCRIPTS)
def test_only_these_lines_have_a_fix(code: str) -> None:
    lines = SCRIPTS[code].splitlines()
    marked = {i: m[1] for i, line in enumerate(lines, 1) if (m := re.search(r"#! (\w+)$", line))}
    report = report_of(code, re.sub(r" *#! \w+$", "", SCRIPTS[code], flags=re.MULTILINE))
    assert not report.failed
    found = {f.span.line: f.fix.applicability.value if f.fix else "none" for f in report.findings}
    assert found == marked


def test_the_numbers_of_devices_are_those_of_all_of_them() -> None:
    hidden = SCRIPTS["MTF102"].replace(
        "for number", "tf.config.set_visible_devices(gpus[1:], 'GPU')\nfor number", 1
    )
    report = report_of("MTF102", re.sub(r" *#! \w+$", "", hidden, flags=re.MULTILINE))
    asked = [f for f in report.findings if "get_memory_info" in f.message]
    assert asked
    assert all(f.fix is None for f in asked)


def test_memory_growth_leaves_the_names_of_the_file_alone() -> None:
    (finding,) = report_of("MTF104", SCRIPTS["MTF104"]).findings
    assert finding.fix is not None
    assert "for physical_gpu in" in finding.fix.edits[0].text


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_an_output_becomes_an_array_by_numpy_only_where_keras_runs_on_tensorflow(backend: str) -> None:
    text = (
        f'import os\n\nos.environ["KERAS_BACKEND"] = "{backend}"\nimport keras\nimport numpy as np\n\n'
        "net = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(2)])\nkept = []\n"
        'for state in np.ones((1000, 4), "float32"):\n    scores = net.predict(state[None], verbose=0)\n'
        "    kept.append(net(state[None], training=False))\n    print(scores)\n"
    )
    for code in ("MTF111", "MTF112"):
        (found,) = report_of(code, text).findings
        assert (found.fix is not None) == (backend == "tensorflow")
