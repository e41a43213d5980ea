# methods that run a trained network for whoever calls them: on which device the result is used is up to them
import torch
from speech import load_audio


class Sampler:
    def __init__(self, model, device="cuda"):
        self.model = model.to(device)
        self.device = device

    def sample(self, num_samples, batch_size=64):
        made = []
        for _ in range(num_samples // batch_size):
            noise = torch.randn(batch_size, self.model.latent_dim).to(self.device)
            made.append(self.model.decoder(noise).detach())
        images = torch.cat(made, dim=0)
        return images


class Voice:
    def __init__(self, model):
        self.model = model.cuda()

    @torch.inference_mode()
    def latents(self, audio_paths):
        audios, embeddings = [], []
        for path in audio_paths:
            audio = load_audio(path).to("cuda")
            embeddings.append(self.model.embed(audio))
            audios.append(audio)
        whole = torch.cat(audios, dim=-1)
        return self.model.condition(whole), torch.stack(embeddings).mean(dim=0)

    def conditioning(self, clips):
        found = []
        for j in range(clips.shape[1]):
            found.append(self.model.encoder(clips[:, j])[:, :, 0])
        return torch.stack(found, dim=1).mean(dim=1)
