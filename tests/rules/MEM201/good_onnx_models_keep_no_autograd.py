# ONNX models keep no autograd graph, and what torch.jit.freeze gives has no parameters

import onnxruntime
import torch

session = onnxruntime.InferenceSession("model.onnx")
for x in torch.randn(5, 2, 4):
    print(session.run(None, {"x": x.numpy()}))
