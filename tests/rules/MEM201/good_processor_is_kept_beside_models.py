# a processor that is kept in one dictionary with models prepares their input

import torch
from audio.loading import load
from speech.models import Recognizer
from transformers import WhisperForConditionalGeneration, WhisperProcessor


def load_models(device):
    models = {"asr": None, "processor": None, "whisper": None}
    models["asr"] = Recognizer.restore_from("checkpoint").to(device).eval()
    models["processor"] = WhisperProcessor.from_pretrained("openai/whisper-large-v3")
    models["whisper"] = WhisperForConditionalGeneration.from_pretrained("openai/whisper-large-v3").to(device)
    models["whisper"].eval()
    return models


def transcribe(model, processor, paths, device, batch_size=8):
    texts = []
    for start in range(0, len(paths), batch_size):
        arrays = [load(path) for path in paths[start : start + batch_size]]
        inputs = processor(arrays, sampling_rate=16000, return_tensors="pt", padding=True).input_features
        with torch.inference_mode():
            ids = model.generate(inputs.to(device))
        texts.extend(processor.batch_decode(ids, skip_special_tokens=True))
    return texts


def evaluate(paths, device):
    models = load_models(device)
    return transcribe(models["whisper"], models["processor"], paths, device)
