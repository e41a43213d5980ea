# scripted, ONNX and TensorRT models keep no autograd graph worth the name

import onnxruntime
import torch

session = onnxruntime.InferenceSession("model.onnx")
traced = torch.jit.load("model.pt")
traced.eval()
for x in torch.randn(5, 2, 4):
    print(session.run(None, {"x": x.numpy()}))
    print(traced(x))
