// sound.glsl: what is heard.  Amplitudes are 0..1 after the gain; `place` goes over the spectrum from 0,
// 30 Hz, to 1, 16 kHz, by ratio.
uniform sampler2D u_spectrum;    // 64 x 2: as it is, and with a fall of a tenth of a second
uniform sampler2D u_wave;        // 256 x 1: 20 ms that stand still
uniform sampler2D u_spectrogram; // 64 x 1024, a ring of rows, one a hop
uniform int u_newest;            // the newest row

const float HOPS_A_SECOND = 187.5;
const float SPECTROGRAM_SECONDS = 1023.0 / HOPS_A_SECOND; // as long as it remembers
const int WAVE_POINTS = 256;
const int SPECTRUM_BINS = 64;

float between(sampler2D values, float at, int count, int row)
{
    float place = clamp(at, 0.0, 1.0) * float(count - 1);
    int before = min(int(place), count - 2);
    return mix(texelFetch(values, ivec2(before, row), 0).r,
               texelFetch(values, ivec2(before + 1, row), 0).r, place - float(before));
}

float spectrum_at(float place)
{
    return between(u_spectrum, place, SPECTRUM_BINS, 0);
}

// Rises at once and falls to half in 64 ms, alike at any frame rate: calmer to look at.
float spectrum_falling_at(float place)
{
    return between(u_spectrum, place, SPECTRUM_BINS, 1);
}

// -1..1; `at` from 0 to 1 over the 20 ms.
float wave_at(float at)
{
    return between(u_wave, at, WAVE_POINTS, 0);
}

float spectrogram_at(float place, float seconds_ago)
{
    float back = clamp(seconds_ago, 0.0, SPECTROGRAM_SECONDS) * HOPS_A_SECOND;
    int newer = min(int(back), 1022);
    int row = (u_newest - newer + 2048) & 1023, older = (row + 1023) & 1023;
    return mix(between(u_spectrogram, place, SPECTRUM_BINS, row),
               between(u_spectrogram, place, SPECTRUM_BINS, older), back - float(newer));
}

// An amplitude as the ear takes it: 0 at -54 dB and below, 1 at full scale.
float as_heard(float amplitude)
{
    return clamp(1.0 + log2(max(amplitude, 1.0e-6)) / 9.0, 0.0, 1.0);
}
